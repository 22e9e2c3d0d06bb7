import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ON_MACOS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The browser of the tests: `VUKA_CHROMIUM`, an installed one, Playwright's own, else the distribution's package.
 * Undefined means Playwright's own. Throws, saying what to install, where none can be had.
 */
export function findBrowser(playwrightCli: string): string | undefined {
  const installed = findInstalled();
  if (installed) return installed;
  if (spawnSync(process.execPath, [playwrightCli, 'install', 'chromium'], { stdio: 'inherit' }).status === 0) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium';
    spawnSync('/bin/sh', ['-c', install], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const packaged = findInstalled();
    if (packaged) return packaged;
  }
  throw new Error('The browser tests need Chromium or Chrome: install one, or set VUKA_CHROMIUM to its program.');
}

function findInstalled(): string | undefined {
  const given = process.env.VUKA_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(given ? [given] : []), ...onPath, ...ON_MACOS].find((path) => existsSync(path) && starts(path));
}

function starts(program: string): boolean {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
}
