import { afterEach, expect, test, vi } from 'vitest';
import { page } from './page.ts';

const Example = () => null;
const loadFile = () => Promise.resolve({ Example });
const stylesheets = () => document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');

function showSignInPage(): void {
  document.head.innerHTML = '<meta name="all-styles" content="/assets/all.css">';
}

afterEach(() => {
  document.head.innerHTML = '';
});

test('a page that is opened from the sign-in page is shown only with its styles, which load once', async () => {
  showSignInPage();
  let hasLoaded = false;
  const opened = Promise.all([page(loadFile, 'Example').load(), page(loadFile, 'Example').load()]).then(() => {
    hasLoaded = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect([...stylesheets()].map((link) => link.getAttribute('href'))).toEqual(['/assets/all.css']);
  expect(hasLoaded).toBe(false);
  stylesheets()[0]?.dispatchEvent(new Event('load'));
  await opened;
});

test('styles that failed to load are loaded again with the next attempt', async () => {
  showSignInPage();
  // The module remembers what it has loaded.
  vi.resetModules();
  const { loadAllStyles } = await import('./all-styles.ts');
  const first = loadAllStyles();
  stylesheets()[0]?.dispatchEvent(new Event('error'));
  await expect(first).rejects.toThrow('/assets/all.css could not be loaded');
  expect(stylesheets()).toHaveLength(0);
  const second = loadAllStyles();
  stylesheets()[0]?.dispatchEvent(new Event('load'));
  await second;
});

test('a page file with the styles of all pages loads no others', async () => {
  await page(loadFile, 'Example').load();
  expect(stylesheets()).toHaveLength(0);
});
