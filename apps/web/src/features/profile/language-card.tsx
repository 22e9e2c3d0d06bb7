import { useStore } from '@nanostores/react';
import { Card } from '#shared/ui/card.tsx';
import { LANGUAGE_MESSAGES, LanguageChoice } from '#shared/ui/language-choice.tsx';

export function LanguageCard() {
  const t = useStore(LANGUAGE_MESSAGES);
  return (
    <Card title={t.title}>
      <div className="px-4 pt-1 pb-4 sm:px-5 sm:pb-5">
        <LanguageChoice />
      </div>
    </Card>
  );
}
