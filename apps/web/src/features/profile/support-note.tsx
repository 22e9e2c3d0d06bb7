import { useStore } from '@nanostores/react';
import { useAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('support-note', { help: 'Need help? Write to' });

/** The support address, as set by the administrators. */
export function SupportNote() {
  const t = useStore(MESSAGES);
  const { supportEmail } = useAbout();
  if (!supportEmail) return null;
  return (
    <p className="text-center text-small text-ink2">
      {t.help}{' '}
      <a href={`mailto:${supportEmail}`} className="font-semibold text-primary underline underline-offset-2">
        {supportEmail}
      </a>
    </p>
  );
}
