// Run `npm run lockfile` after `npm install`. It adds to package-lock.json what the registry in use did not give: the
// packages for other platforms, without which `npm ci` refuses the lockfile on every machine, and the hash of each
// package's archive, without which `npm ci` takes whatever the registry sends.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;
const OS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'sunos', 'win32', 'windows', 'wasm32'];
const REGISTRY = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const AT_ONCE = 16;
const CPU = {
  x64: 'x64',
  64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
};

/** The platform in a name such as `@x/cli-linux-arm64-musl`; undefined if it names none. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-_]/);
  const os = words.find((word) => OS.includes(word));
  const cpu = words.map((word) => CPU[word]).find((value) => value !== undefined);
  if (!os || !cpu) return undefined;
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined;
  return {
    cpu: [cpu],
    ...(libc ? { libc } : {}),
    ...(os === 'wasm32' ? {} : { os: [os === 'windows' ? 'win32' : os] }),
  };
}

const added = [];
for (const [path, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue;
    const platform = /^\d+\.\d+\.\d+[\w.-]*$/.test(version) ? platformOf(name) : undefined;
    if (!platform) continue;
    packages[`node_modules/${name}`] = { version, ...platform, ...(entry.dev ? { dev: true } : {}), optional: true };
    added.push(name);
  }
}

/** The hash of a package's archive, by the registry; undefined if it does not have the package. */
async function findIntegrity(name, version) {
  const answer = await fetch(new URL(`${name}/${version}`, REGISTRY));
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${name}@${version}: the registry answers ${answer.status}`);
  return (await answer.json()).dist.integrity;
}

const unhashed = Object.entries(packages).filter(
  ([path, { link, version, integrity }]) => path.includes('node_modules/') && !link && version && !integrity,
);
const missing = [];
for (let first = 0; first < unhashed.length; first += AT_ONCE) {
  await Promise.all(
    unhashed.slice(first, first + AT_ONCE).map(async ([path, entry]) => {
      const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const integrity = await findIntegrity(name, entry.version);
      if (integrity) packages[path] = { version: entry.version, integrity, ...entry };
      else missing.push(`${name}@${entry.version}`);
    }),
  );
}

const sorted = Object.entries(packages).sort(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en')));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`Added ${added.length} packages and ${unhashed.length - missing.length} hashes.\n`);
if (missing.length > 0) process.stdout.write(`Without a hash, since the registry lacks them: ${missing.join(', ')}\n`);
