import { Outlet } from 'react-router-dom';
import { useSessionUser } from '#shared/session.ts';
import { AppShell } from './app-shell.tsx';

/** The frame of every page behind the sign-in, which the sign-in page does not load. */
export function SignedIn() {
  const user = useSessionUser();
  if (!user) return null;
  return (
    // The key resets all component state when the user changes.
    <AppShell key={user.id} user={user}>
      <Outlet />
    </AppShell>
  );
}
