import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { applyTheme, readTheme, type Theme } from '#shared/theme.ts';
import { Card } from '#shared/ui/card.tsx';

const TEXT = { title: 'Appearance' } as const;

const CHOICES = [
  { theme: 'system', label: 'System', Icon: Monitor },
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
] as const;

export function AppearanceCard() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = (chosen: Theme): void => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <Card title={TEXT.title}>
      <fieldset className="px-4 pt-1 pb-4 sm:px-5 sm:pb-5">
        <legend className="sr-only">{TEXT.title}</legend>
        <div className="flex flex-wrap gap-1 rounded-control bg-sunken p-1">
          {CHOICES.map(({ theme: choice, label, Icon }) => (
            <label
              key={choice}
              className="flex min-h-11 flex-1 cursor-pointer items-center justify-center gap-2 rounded-chip px-2 text-small font-semibold text-ink2 hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-1 has-focus-visible:outline-3 has-focus-visible:outline-primary"
            >
              <input
                type="radio"
                name="theme"
                value={choice}
                checked={theme === choice}
                className="sr-only"
                onChange={() => choose(choice)}
              />
              <Icon aria-hidden className="size-4.5" />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
    </Card>
  );
}
