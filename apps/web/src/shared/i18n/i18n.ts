import { browser, createI18n, localeFrom } from '@nanostores/i18n';
import { atom } from 'nanostores';

const LANGUAGES = ['en', 'sw'] as const;
type Language = (typeof LANGUAGES)[number];

const KEY = 'vuka.language';

function readChosen(): Language | undefined {
  const stored = localStorage.getItem(KEY);
  return LANGUAGES.find((language) => language === stored);
}

const chosen = atom<Language | undefined>(readChosen());

/** The language on screen: the user's choice in this browser, else the browser's own, else English. */
const language = localeFrom(chosen, browser({ available: LANGUAGES, fallback: 'en' }));

/**
 * Declares the texts of one component: `const MESSAGES = i18n('send-details', { title: 'Send Money' })`, read with
 * `useStore(MESSAGES)` in a component and `MESSAGES.get()` outside. English stands in the code; Swahili is in
 * `sw.json`, and for names that begin with `admin/` in `sw-admin.json`, each loaded when it is first needed.
 */
export const i18n = createI18n(language, {
  get: async (_language, components) => {
    const files = [];
    if (components.some((name) => !name.startsWith('admin/'))) files.push(import('./sw.json'));
    if (components.some((name) => name.startsWith('admin/'))) files.push(import('./sw-admin.json'));
    return (await Promise.all(files)).map((file) => file.default);
  },
});
