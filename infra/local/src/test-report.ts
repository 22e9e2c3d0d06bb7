import { readFile } from 'node:fs/promises';

/** How many tests of a kind passed and failed. */
export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface PlaywrightReport {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** Reads what vitest wrote. A file that could not even be loaded counts as one failure, and so does a run without a report. */
export async function countVitest(file: string, exitCode: number): Promise<Count> {
  const report = await readReport<VitestReport>(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return atLeastOne(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  );
}

/** Reads what Playwright wrote. A test that passed at the second try only is a failure: it may fail a user as well. */
export async function countPlaywright(file: string, exitCode: number): Promise<Count> {
  const report = await readReport<PlaywrightReport>(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return atLeastOne({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, exitCode);
}

function readReport<Report>(file: string): Promise<Report | undefined> {
  return readFile(file, 'utf8').then(JSON.parse, () => undefined);
}

/** A runner that fails for a reason that no test names, such as an unhandled rejection, is a failure too. */
function atLeastOne(count: Count, exitCode: number): Count {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
