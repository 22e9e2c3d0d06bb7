import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { limitsQuery } from '#shared/api/limits.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';

const MESSAGES = i18n('verify-step', { verify: 'Verify your phone and email' });

/** The next step of a new account, until it is verified. */
export function VerifyStep() {
  const t = useStore(MESSAGES);
  const { data } = useQuery(limitsQuery());
  if (data?.tier !== 'unverified') return null;
  return (
    <Link to={PATHS.security} className={buttonClass('quiet', '', 'small')}>
      <ShieldCheck aria-hidden className="size-5" />
      {t.verify}
    </Link>
  );
}
