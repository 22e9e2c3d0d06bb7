import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const USAGE = 'Usage: npm run bake -- --name <name> --loaves <number>';
const COMMAND = `
  import { readArguments, readPositive } from ${JSON.stringify(import.meta.resolve('./command-line.ts'))};
  const { values } = readArguments('${USAGE}', {
    args: process.argv.slice(1),
    options: { name: { type: 'string', default: '' }, loaves: { type: 'string', default: '1' } },
  });
  console.log(values.name + ' ' + readPositive('${USAGE}', '--loaves', values.loaves));`;

function bake(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', COMMAND, '--', ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

test('known arguments are read', () => {
  expect(bake('--name', 'rye')).toEqual({ status: 0, stdout: 'rye 1', stderr: '' });
});

test.each([[['--help']], [['--name', 'rye', '--help']]])('%j is answered with the usage, and is no failure', (args) => {
  expect(bake(...args)).toEqual({ status: 0, stdout: USAGE, stderr: '' });
});

test.each([
  [['--size', '3'], "Unknown option '--size'."],
  [['rye'], "Unexpected argument 'rye'."],
  [['--name'], "Option '--name <value>' argument missing."],
  [['--loaves', '-1'], "Option '--loaves' argument is ambiguous."],
  [['--loaves', 'two'], "--loaves must be a number above 0, and is 'two'."],
  [['--loaves', '0'], "--loaves must be a number above 0, and is '0'."],
])('%j is a failure that names the mistake and the usage, without a stack', (args, mistake) => {
  expect(bake(...args)).toEqual({ status: 1, stdout: '', stderr: `${mistake}\n${USAGE}` });
});
