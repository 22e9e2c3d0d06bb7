import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/**
 * An installed Chromium or Chrome, else Playwright's own, else the distribution's package. Throws if none is
 * available.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findInstalled() ?? findPlaywrights() ?? installPackage();
  if (!executablePath) {
    throw new Error('There is no browser for the tests. Install Chromium or Chrome, or set CHROME_PATH to one.');
  }
  // Chromium refuses to use its sandbox as root, the user of most containers.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

function findInstalled(): string | undefined {
  return [process.env.CHROME_PATH, ...INSTALLED].find((path) => path && existsSync(path));
}

function findPlaywrights(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function installPackage(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit' });
  return findInstalled();
}
