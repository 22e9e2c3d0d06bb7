import { useStore } from '@nanostores/react';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { CircleCheck, CircleX } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';

const MESSAGES = i18n('admin/api-key-status', { active: 'Active', revoked: 'Revoked' });

/** Whether a key is active or revoked. */
export function ApiKeyStatus({ apiKey: { revokedAt } }: { apiKey: Pick<ApiKey, 'revokedAt'> }) {
  const t = useStore(MESSAGES);
  return revokedAt ? (
    <Badge tone="bad" Icon={CircleX}>
      {t.revoked}
    </Badge>
  ) : (
    <Badge tone="ok" Icon={CircleCheck}>
      {t.active}
    </Badge>
  );
}
