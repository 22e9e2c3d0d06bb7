import { useStore } from '@nanostores/react';
import { LogOut } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { useLogout } from './use-logout.ts';

const MESSAGES = i18n('logout-button', { label: 'Log out' });

export function LogoutButton() {
  const t = useStore(MESSAGES);
  const { mutate, isPending } = useLogout();
  return (
    <Button variant="danger" className="w-full" isPending={isPending} onClick={() => !isPending && mutate()}>
      {isPending ? null : <LogOut aria-hidden className="size-5" />}
      {t.label}
    </Button>
  );
}
