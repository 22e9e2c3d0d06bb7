import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Dialog } from './dialog.tsx';
import { GiveFactor } from './give-factor.tsx';
import { cancelPin, factorGiven } from './pin-question.ts';

const MESSAGES = i18n('admin/factor-dialog', {
  title: 'Confirm that it is you',
  detail: 'Confirm with your passkey or authenticator app that it is you.',
});

/** Asks for the second factor, and then lets the refused calls be repeated. */
export function FactorDialog() {
  const t = useStore(MESSAGES);
  return (
    <Dialog title={t.title} onClose={cancelPin}>
      <div className="grid gap-5 px-5 pb-5">
        <p className="text-small text-ink2">{t.detail}</p>
        <GiveFactor onGiven={factorGiven} />
      </div>
    </Dialog>
  );
}
