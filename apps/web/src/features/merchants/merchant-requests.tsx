import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { CloseMerchant } from '@vuka/contracts/http/account-closing';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { useState } from 'react';
import { DecisionDialog } from '#shared/admin/decision-dialog.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { closeMerchant, downloadMerchantData, MERCHANTS_KEY, type Merchant } from './merchants.api.ts';

const MESSAGES = i18n('admin/merchant-requests', {
  title: 'Data requests',
  what: 'For a merchant who asked for it and cannot do it themselves. Both are recorded in the audit trail.',
  download: 'Download data',
  downloadOf: params('Download everything that is held about {name}?'),
  downloadDetail: 'The file contains personal data. Give it only to the merchant.',
  downloaded: 'The data is downloaded',
  notDownloaded: 'The data was not downloaded',
  close: 'Close account',
  closeOf: params('Close the account of {name} for good?'),
  closeDetail:
    'Name, contacts, PIN and messages are erased. Transfers stay as the law requires. This cannot be undone.',
  closed: 'Account closed',
  notClosed: 'The account was not closed',
  reason: 'Reason',
  again: 'Please try again.',
});

/** What the data protection acts let a merchant ask for. */
export function MerchantRequests({ merchant }: { merchant: Pick<Merchant, 'id' | 'fullName'> }) {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  const [asked, setAsked] = useState<'download' | 'close'>();
  const onClose = () => setAsked(undefined);
  if (!mayDo('merchants.export') && !mayDo('merchants.close')) return null;
  const { id, fullName: name } = merchant;
  return (
    <Card title={t.title}>
      <p className="px-4 pb-3 text-small text-ink2 sm:px-5">{t.what}</p>
      <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3 sm:px-5">
        {mayDo('merchants.export') ? (
          <Button variant="secondary" size="small" onClick={() => setAsked('download')}>
            {t.download}
          </Button>
        ) : null}
        {mayDo('merchants.close') ? (
          <Button variant="danger" size="small" onClick={() => setAsked('close')}>
            {t.close}
          </Button>
        ) : null}
      </div>
      {asked === 'download' ? (
        <DecisionDialog
          title={t.downloadOf({ name })}
          detail={t.downloadDetail}
          confirm={t.download}
          schema={PinConfirmation}
          decide={({ pin = '' }) => downloadMerchantData(id, pin)}
          outcome={{ done: t.downloaded, failed: t.notDownloaded, failedDetail: t.again }}
          listKey={MERCHANTS_KEY}
          onClose={onClose}
        />
      ) : null}
      {asked === 'close' ? (
        <DecisionDialog
          title={t.closeOf({ name })}
          detail={t.closeDetail}
          confirm={t.close}
          isDanger
          field={{ name: 'reason', label: t.reason, maxLength: 500 }}
          schema={CloseMerchant}
          decide={(typed) => closeMerchant(id, typed)}
          outcome={{ done: t.closed, failed: t.notClosed, failedDetail: t.again }}
          listKey={MERCHANTS_KEY}
          onClose={onClose}
        />
      ) : null}
    </Card>
  );
}
