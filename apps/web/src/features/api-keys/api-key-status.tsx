import { useStore } from '@nanostores/react';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { CircleCheck, CircleX } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';

const MESSAGES = i18n('admin/api-key-status', { active: 'Active', refused: 'Refused', revoked: 'Revoked' });

/** Whether a key is active, refused because of its issuer, or revoked. */
export function ApiKeyStatus({ apiKey }: { apiKey: Pick<ApiKey, 'revokedAt' | 'isIssuerBarred'> }) {
  const t = useStore(MESSAGES);
  if (apiKey.revokedAt || apiKey.isIssuerBarred) {
    // Somebody revoked a key on purpose; a refused one stopped working although its user still needs it.
    return (
      <Badge tone={apiKey.revokedAt ? 'quiet' : 'bad'} Icon={CircleX}>
        {apiKey.revokedAt ? t.revoked : t.refused}
      </Badge>
    );
  }
  return (
    <Badge tone="ok" Icon={CircleCheck}>
      {t.active}
    </Badge>
  );
}
