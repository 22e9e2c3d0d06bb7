// Adds the packages for other platforms that the registry in use did not have when package-lock.json was written.
// Without their entries `npm ci` refuses the lockfile on every machine. Run `npm run lockfile` after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;
const OS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'sunos', 'win32', 'windows', 'wasm32'];
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
const sorted = Object.entries(packages).sort(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en')));
lock.packages = Object.fromEntries(sorted);
if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(added.length > 0 ? `Added ${added.join(', ')}\n` : 'The lockfile is complete.\n');
