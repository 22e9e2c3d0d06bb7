import { useStore } from '@nanostores/react';
import { Monitor, Moon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { applyTheme, readTheme, type Theme } from '#shared/theme.ts';
import { LANGUAGE_MESSAGES, LanguageChoice } from '#shared/ui/language-choice.tsx';
import { SegmentedChoice } from '#shared/ui/segmented-choice.tsx';

const MESSAGES = i18n('display-choices', { title: 'Appearance', system: 'System', light: 'Light', dark: 'Dark' });

const CHOICES = [
  { theme: 'system', Icon: Monitor },
  { theme: 'light', Icon: Sun },
  { theme: 'dark', Icon: Moon },
] as const;

/** A choice with its title. A screen reader hears the title from the legend of the choice. */
function Labelled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p aria-hidden className="mb-1.5 text-small font-medium text-ink2">
        {title}
      </p>
      {children}
    </div>
  );
}

/** How the app looks and in which language it speaks. */
export function DisplayChoices() {
  const t = useStore(MESSAGES);
  const language = useStore(LANGUAGE_MESSAGES);
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = (chosen: Theme): void => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  const choices = CHOICES.map(({ theme: value, Icon }) => ({
    value,
    label: (
      <>
        <Icon aria-hidden className="size-4.5" />
        {t[value]}
      </>
    ),
  }));
  return (
    <div className="grid gap-4 border-t border-line p-4 sm:p-5">
      <Labelled title={t.title}>
        <SegmentedChoice legend={t.title} name="theme" choices={choices} value={theme} onChange={choose} />
      </Labelled>
      <Labelled title={language.title}>
        <LanguageChoice />
      </Labelled>
    </div>
  );
}
