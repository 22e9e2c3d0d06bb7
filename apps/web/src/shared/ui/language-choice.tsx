import { useStore } from '@nanostores/react';
import { chooseLanguage, i18n, LANGUAGES, language } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';
import { SegmentedChoice } from './segmented-choice.tsx';

export const LANGUAGE_MESSAGES = i18n('language-choice', {
  title: 'Language',
  failed: 'The language could not be loaded',
  tryAgain: 'Check your connection and try again.',
});

// Each language in its own name, so that its speakers can read it.
const NAMES = { en: 'English', sw: 'Kiswahili' } as const;

export function LanguageChoice({ isSmall = false }: { isSmall?: boolean }) {
  const t = useStore(LANGUAGE_MESSAGES);
  const current = useStore(language);
  return (
    <SegmentedChoice
      legend={t.title}
      name="language"
      isSmall={isSmall}
      choices={LANGUAGES.map((value) => ({ value, label: NAMES[value], lang: value }))}
      value={current}
      onChange={(chosen) => chooseLanguage(chosen).catch(() => showError(t.failed, t.tryAgain))}
    />
  );
}
