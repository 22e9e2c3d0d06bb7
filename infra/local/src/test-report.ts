import { readFile } from 'node:fs/promises';

/** How many tests of one kind passed and failed. */
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

/**
 * Reads vitest's report. A file that could not be loaded counts as one failure, and so does a run without a report.
 */
export async function countVitest(file: string, exitCode: number): Promise<Count> {
  const report = await readReport(file);
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

function readReport(file: string): Promise<VitestReport | undefined> {
  return readFile(file, 'utf8').then(JSON.parse, () => undefined);
}

/** A runner that fails for a reason outside of tests, such as an unhandled rejection, counts as a failure too. */
function atLeastOne(count: Count, exitCode: number): Count {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
