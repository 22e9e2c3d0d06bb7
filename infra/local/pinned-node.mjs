// Runs a script of this repository with the Node that it pins: `node pinned-node.mjs [--dev] <script> [arguments]`. The
// machine's own Node (20 or later) only has to run this file. Installs the modules first if they are missing or older
// than the lockfile: those that build and run the product, and with --dev the tools of its developers too.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const isWindows = process.platform === 'win32';
const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
/** npm writes it last, so modules without it are an incomplete installation. */
const installedLockfile = join(modules, '.package-lock.json');
/** The lockfile of the last installation: a checkout changes the times of files, not their content. */
const stamp = join(modules, '.vuka-installed');
/** Only in an installation without the developers' tools. */
const withoutDev = join(modules, '.vuka-without-dev');
const given = process.argv.slice(2);
const needsDev = given[0] === '--dev';

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

function lockfileDigest() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex');
}

const isInstalled = () => isCurrent() && !(needsDev && existsSync(withoutDev));

function isCurrent() {
  if (!existsSync(installedLockfile)) return false;
  if (!existsSync(lockfile) || statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs) return true;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfileDigest();
}

function npm(...args) {
  // The npm that started us, if any: another may be first on the path.
  const cli = process.env.npm_execpath;
  // `npm run` puts the pinned Node first on the path, so it may run this file; an installation removes it.
  const isOwn = process.execPath.startsWith(modules);
  const isCli = !isOwn && cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [program, first] = isCli ? [process.execPath, [cli]] : [isWindows ? 'npm.cmd' : 'npm', []];
  return spawnSync(program, [...first, ...args], { cwd: root, stdio: 'inherit', shell: isWindows && !isCli });
}

function install() {
  const what = needsDev ? 'what the development of Vuka needs' : 'what Vuka needs';
  process.stdout.write(`Installing ${what} (once, about half a minute)...\n`);
  // `npm ci` begins by deleting all modules; a product may be running on these.
  const isAddition = needsDev && existsSync(withoutDev) && isCurrent();
  const { status, error } = npm(
    ...(isAddition ? ['install', '--no-save'] : ['ci']),
    // Not left to the user's own settings.
    needsDev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    // Only Node's own is needed: findNode() runs it. No other package runs code here.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  if (error) fail(`npm could not be started: ${error.message}`);
  if (status !== 0) {
    fail(
      `npm's installation failed with exit code ${status}; its own message is above.\n` +
        'Vuka is not installed. Usual reasons: no access to the npm registry (offline, a proxy), a full disk, or\n' +
        `no right to write to ${root}.`,
    );
  }
  if (needsDev) rmSync(withoutDev, { force: true });
  else writeFileSync(withoutDev, '');
  try {
    writeFileSync(stamp, lockfileDigest());
  } catch {
    // Then the times of the files decide.
  }
}

const pinned = join(modules, 'node/bin', isWindows ? 'node.exe' : 'node');
const runs = (program) => existsSync(program) && spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** The pinned Node is installed by the install script of its package. */
function findNode() {
  if (runs(pinned)) return pinned;
  npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
  if (runs(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24 && existsSync(process.execPath)) return process.execPath;
  return fail(
    `The Node that Vuka pins does not run here (${pinned}), and this one is ${process.version}.\n` +
      'Run "npm rebuild node", or start with Node 24 or later.',
  );
}

const [script, ...args] = needsDev ? given.slice(1) : given;
if (!script) fail('Usage: node pinned-node.mjs [--dev] <script> [arguments]');
if (!isInstalled()) install();

const child = spawn(findNode(), [join(root, script), ...args], {
  // Compiled once: type stripping and parsing are most of a start's cost.
  env: { NODE_COMPILE_CACHE: join(modules, '.cache/vuka'), ...process.env },
  // The channel tells the script when this process has ended, even after kill -9.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`${script} could not be started: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});

// A killed npm cannot report it, nor can the shell between npm and this process.
function ancestors() {
  const parent = process.ppid;
  try {
    const [, fields] = /\) (.*)$/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8').trim()) ?? [];
    return `${parent} ${fields?.split(' ')[1]}`;
  } catch {
    return String(parent);
  }
}
if (process.env.npm_lifecycle_event && !isWindows) {
  const known = ancestors();
  setInterval(() => {
    if (ancestors() !== known) child.kill('SIGTERM');
  }, 1000).unref();
}
