import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/** How many tests of one kind passed and failed. */
export interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed ones, each as its name and why, for the end of the output. */
  failures?: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: FileResult[];
}

interface FileResult {
  name: string;
  status: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/** Lines of one failure to repeat: the message, without most of its stack. */
const LINES_OF_FAILURE = 12;

/**
 * Reads vitest's report. A file that failed without a failed test, because it could not be loaded or its hooks failed,
 * counts as one failure, and so does a run without a report.
 */
export async function countVitest(file: string, exitCode: number): Promise<Count> {
  const report = await readReport(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(isBroken);
  return atLeastOne(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: report.testResults.flatMap(failuresOf),
    },
    exitCode,
  );
}

function isBroken({ status, assertionResults }: FileResult): boolean {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

function failuresOf(result: FileResult): string[] {
  const file = relative(process.cwd(), result.name);
  if (isBroken(result)) return [describeFailure(file, result.message)];
  return result.assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => describeFailure(`${file}: ${test.fullName}`, test.failureMessages.join('\n')));
}

function describeFailure(title: string, message: string): string {
  const lines = message.split('\n').slice(0, LINES_OF_FAILURE);
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

function readReport(file: string): Promise<VitestReport | undefined> {
  return readFile(file, 'utf8').then(JSON.parse, () => undefined);
}

/** A runner that fails for a reason outside of tests, such as an unhandled rejection, counts as a failure too. */
function atLeastOne(count: Count, exitCode: number): Count {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
