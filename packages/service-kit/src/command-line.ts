import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The arguments of a command, as `parseArgs` reads them. Ends the process with the usage for `--help`, and with the
 * mistake and the usage, as a failure, for arguments that the command does not know.
 */
export function readArguments<Config extends ParseArgsConfig>(usage: string, config: Config) {
  if ((config.args ?? process.argv.slice(2)).includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (cause) {
    // What follows the first sentence is how to pass a value that begins with a dash.
    const [mistake] = (cause as Error).message.split(/\.\s|\n/, 1);
    return endAsMisused(`${mistake}.\n${usage}`);
  }
}

/** The value of an option that must be a number above 0; anything else ends the process like an unknown argument. */
export function readPositive(usage: string, option: string, value: string): number {
  const number = Number(value);
  return number > 0 && Number.isFinite(number)
    ? number
    : endAsMisused(`${option} must be a number above 0, and is '${value}'.\n${usage}`);
}

/** Ends the process, as a failure, with what is wrong about its arguments. */
export function endAsMisused(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
