import { count } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ModalDialog } from '#shared/ui/modal-dialog.tsx';
import { askForUse, noteUse } from '#shared/use-of-session.ts';
import { useSecondsLeft } from '#shared/use-seconds-left.ts';
import { useLogout } from './use-logout.ts';
import { useSessionEnd } from './use-session-end.ts';

const MESSAGES = i18n('session-warning', {
  title: 'Are you still there?',
  detail: 'To keep your money safe, we sign you out after a period of inactivity.',
  left: count({ one: 'You will be signed out in {count} second.', many: 'You will be signed out in {count} seconds.' }),
  stay: 'Stay signed in',
  logout: 'Log out',
  noAnswer: 'No answer arrived. Check your connection and try again.',
});

/** Announced to screen readers only at these moments: announcing every second would drown out everything else. */
const ANNOUNCED_SECONDS = [10, 30, 60] as const;

interface WarningProps {
  endsAtMs: number;
  /** Resolves to whether the server answered. */
  onStay: () => Promise<boolean>;
}

function Warning({ endsAtMs, onStay }: WarningProps) {
  const t = useStore(MESSAGES);
  const seconds = useSecondsLeft(endsAtMs);
  const [state, setState] = useState<'asking' | 'staying' | 'unanswered'>('asking');
  const logout = useLogout();
  useEffect(askForUse, []);
  const stay = (): void => {
    if (state === 'staying') return;
    logout.reset();
    setState('staying');
    void onStay().then((isAnswered) => setState(isAnswered ? 'asking' : 'unanswered'));
  };
  const announced = ANNOUNCED_SECONDS.find((limit) => seconds <= limit);
  return (
    <ModalDialog title={t.title} onCancel={stay}>
      <p className="mt-2 text-ink2">{t.detail}</p>
      <p aria-hidden className="nums mt-3 font-semibold">
        {t.left(seconds)}
      </p>
      <p role="status" className="sr-only">
        {announced === undefined ? '' : t.left(announced)}
      </p>
      <p role="alert" className="text-small text-bad">
        {logout.isError ? errorMessage(logout.error) : state === 'unanswered' ? t.noAnswer : ''}
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        {/* First, because the dialog focuses its first button. */}
        <Button className="flex-1 whitespace-nowrap" isPending={state === 'staying'} onClick={stay}>
          {t.stay}
        </Button>
        <Button
          variant="secondary"
          className="flex-1 whitespace-nowrap"
          isPending={logout.isPending}
          onClick={() => !logout.isPending && logout.mutate()}
        >
          {t.logout}
        </Button>
      </div>
    </ModalDialog>
  );
}

/** Warns a minute before the session ends, and lets the user stay signed in. */
export function SessionWarning() {
  const { endsAtMs, ask } = useSessionEnd();
  if (endsAtMs === undefined) return null;
  const stay = (): Promise<boolean> => {
    noteUse();
    return ask();
  };
  return <Warning endsAtMs={endsAtMs} onStay={stay} />;
}
