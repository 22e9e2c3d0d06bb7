import { useStore } from '@nanostores/react';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { applyTheme, readTheme, type Theme } from '#shared/theme.ts';
import { Card } from '#shared/ui/card.tsx';
import { SegmentedChoice } from '#shared/ui/segmented-choice.tsx';

const MESSAGES = i18n('appearance-card', { title: 'Appearance', system: 'System', light: 'Light', dark: 'Dark' });

const CHOICES = [
  { theme: 'system', Icon: Monitor },
  { theme: 'light', Icon: Sun },
  { theme: 'dark', Icon: Moon },
] as const;

export function AppearanceCard() {
  const t = useStore(MESSAGES);
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
    <Card title={t.title}>
      <div className="px-4 pt-1 pb-4 sm:px-5 sm:pb-5">
        <SegmentedChoice legend={t.title} name="theme" choices={choices} value={theme} onChange={choose} />
      </div>
    </Card>
  );
}
