import { type AdminRight, mayDo } from '@vuka/contracts/http/admin-rights';
import { useSessionUser } from '#shared/session.ts';

/** Whether the role of the signed-in administrator has a right. The server refuses the call in any case. */
export function useMayDo(): (right: AdminRight) => boolean {
  const role = useSessionUser()?.adminRole ?? null;
  return (right) => mayDo(role, right);
}
