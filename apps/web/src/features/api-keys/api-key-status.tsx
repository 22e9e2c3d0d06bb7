import { useStore } from '@nanostores/react';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { CircleCheck, CircleX } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/api-key-status', { active: 'Active', revoked: 'Revoked' });

/** Whether a key opens anything. */
export function ApiKeyStatus({ apiKey: { revokedAt } }: { apiKey: Pick<ApiKey, 'revokedAt'> }) {
  const t = useStore(MESSAGES);
  const [text, colour, Icon] = revokedAt
    ? ([t.revoked, 'bg-bad-soft text-bad-ink', CircleX] as const)
    : ([t.active, 'bg-ok-soft text-ok-ink', CircleCheck] as const);
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 text-caption font-semibold whitespace-nowrap ${colour}`}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={2.5} />
      {text}
    </span>
  );
}
