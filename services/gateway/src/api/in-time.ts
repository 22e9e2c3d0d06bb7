import { unavailable } from '@vuka/service-kit/app-error';

/** No part of a composed answer delays the others for longer. */
const PART_DEADLINE_MS = 2_000;

/** The answer, or null if none arrived in time. */
export async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  return within(PART_DEADLINE_MS, answer).catch(() => null);
}

/** The answer. Throws `unavailable` after `deadlineMs`, while the work may go on. */
export async function within<Answer>(deadlineMs: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(`no answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
