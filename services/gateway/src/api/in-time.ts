/** No part of a composed answer delays the others for longer. */
const PART_DEADLINE_MS = 2_000;

/** The answer, or null if none arrived in time. */
export async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PART_DEADLINE_MS, null);
  });
  try {
    return await Promise.race([answer.catch(() => null), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
