import { queryOptions } from '@tanstack/react-query';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { Administrators, RoleAnswer, UnlockRequested } from '@vuka/contracts/http/administrators';
import { Merchant } from '@vuka/contracts/http/merchants';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';

export const ADMINISTRATORS_KEY = ['/api/admin/administrators'] as const;

export function administratorsQuery() {
  return queryOptions({
    queryKey: ADMINISTRATORS_KEY,
    queryFn: async ({ signal }) =>
      (await callApi('/api/admin/administrators', Administrators, { signal })).administrators,
    refetchOnMount: 'always',
    refetchInterval: 30_000,
    meta: { silent: true },
  });
}

/** Either ends the lock, or records a request that waits for another administrator. */
export function unlockAdministrator(id: string) {
  const path = `/api/admin/merchants/${encodeURIComponent(id)}/unlock`;
  return callApi(path, z.union([UnlockRequested, Merchant]), { method: 'POST' });
}

/** Either changes the role, or proposes the change to another owner. */
export function changeRole(id: string, role: AdminRole) {
  const path = `/api/admin/administrators/${encodeURIComponent(id)}/role`;
  return callApi(path, RoleAnswer, { method: 'POST', body: { role } });
}
