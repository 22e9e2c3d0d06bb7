const STEP = 10;

/** Reports progress at every ten per cent. */
export function createProgress(what: string, totalBytes: number, say: (line: string) => void) {
  let done = 0;
  let reported = 0;
  return {
    add(bytes: number) {
      done += bytes;
      const percent = totalBytes > 0 ? Math.min(100, Math.floor((done / totalBytes) * 100)) : 100;
      if (percent < reported + STEP) return;
      reported = percent - (percent % STEP);
      say(`  ${what}: ${reported} % of ${formatBytes(totalBytes)}`);
    },
  };
}

/** Such as `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
