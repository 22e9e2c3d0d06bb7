/** The fields of one block of server-sent events. */
export type Block = Record<string, string>;

/** The server answered with something other than a stream. */
export class StreamRefused extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

/** Yields the blocks of a stream until it ends or is aborted. Throws StreamRefused, or the error that broke it. */
export async function* readBlocks(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Block> {
  const answer = await fetch(url, { headers, signal });
  if (!(answer.ok && answer.body)) throw new StreamRefused(answer.status, await answer.text());
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/)));
  }
}
