import { type ComponentsJSON, createI18n } from '@nanostores/i18n';
import { atom } from 'nanostores';

export const LANGUAGES = ['en', 'sw'] as const;
export type Language = (typeof LANGUAGES)[number];

const KEY = 'vuka.language';

/** The language on screen. English until `startLanguage` or `chooseLanguage` has loaded the texts of another one. */
export const language = atom<Language>('en');

function loadFiles(components: readonly string[]): Promise<ComponentsJSON[]> {
  const isAdmin = (name: string): boolean => name.startsWith('admin/');
  const files: Promise<{ default: ComponentsJSON }>[] = [];
  if (components.some((name) => !isAdmin(name))) files.push(import('./sw.json'));
  if (components.some(isAdmin)) files.push(import('./sw-admin.json'));
  return Promise.all(files).then((loaded) => loaded.map((file) => file.default));
}

/**
 * Declares the texts of one component: `const MESSAGES = i18n('send-details', { title: 'Send Money' })`, read with
 * `useStore(MESSAGES)` in a component and `MESSAGES.get()` outside. English is in the code; Swahili is in `sw.json`,
 * and for names that begin with `admin/` in `sw-admin.json`, each loaded on first use.
 */
export const i18n = createI18n(language, { get: (_language, components) => loadFiles(components) });

/** Loads the texts of every component declared so far, so that none appears in English first. */
export async function loadTexts(of: Language = language.get()): Promise<void> {
  if (of === 'en') return;
  const known = i18n.cache[of] ?? {};
  const missing = Object.keys(i18n.cache.en).filter((name) => !(name in known));
  i18n.cache[of] = Object.assign({}, known, ...(await loadFiles(missing)));
}

function isLanguage(tag: string | undefined | null): tag is Language {
  return LANGUAGES.some((known) => known === tag);
}

/** The user's choice in this browser, else the browser's first supported language, else English. */
function preferredLanguage(): Language {
  const tags = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return tags.find(isLanguage) ?? 'en';
}

let start: Promise<void> = Promise.resolve();

/** Settles when the first language has loaded: messages before that would be in English. */
export const languageStarted = (): Promise<void> => start;

/** Call once before the first render. If the texts cannot be loaded, the app falls back to English. */
export function startLanguage(): Promise<void> {
  start = findLanguage();
  return start;
}

async function findLanguage(): Promise<void> {
  language.subscribe((current) => {
    document.documentElement.lang = current;
  });
  const preferred = preferredLanguage();
  try {
    await loadTexts(preferred);
    language.set(preferred);
  } catch {
    language.set('en');
  }
}

/** Switches the app to a language and stores the choice in this browser. Rejects if the texts cannot be loaded. */
export async function chooseLanguage(next: Language): Promise<void> {
  await loadTexts(next);
  localStorage.setItem(KEY, next);
  language.set(next);
}
