import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { Dialog } from '#shared/admin/dialog.tsx';
import { DialogButton } from '#shared/admin/dialog-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import type { Merchant } from './merchants.api.ts';

const MESSAGES = i18n('admin/block-dialog', {
  block: params('Block {name}?'),
  unblock: params('Unblock {name}?'),
  blockDetail: params(
    '{email} will be signed out at once and can neither sign in nor send money. Their balance stays.',
  ),
  unblockDetail: params('{email} will be able to sign in and send money again.'),
  cancel: 'Cancel',
  confirmBlock: 'Block merchant',
  confirmUnblock: 'Unblock merchant',
});

interface BlockDialogProps {
  merchant: Merchant;
  onClose: () => void;
  onConfirm: () => void;
}

export function BlockDialog({ merchant, onClose, onConfirm }: BlockDialogProps) {
  const t = useStore(MESSAGES);
  const { email, isBlocked } = merchant;
  const name = merchant.fullName || merchant.username;
  return (
    <Dialog title={(isBlocked ? t.unblock : t.block)({ name })} onClose={onClose}>
      <div className="grid gap-5 px-5 pb-5">
        <p className="text-small text-ink2">{(isBlocked ? t.unblockDetail : t.blockDetail)({ email })}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <DialogButton variant="secondary" onClick={onClose}>
            {t.cancel}
          </DialogButton>
          <DialogButton variant={isBlocked ? 'primary' : 'destructive'} onClick={onConfirm}>
            {isBlocked ? t.confirmUnblock : t.confirmBlock}
          </DialogButton>
        </div>
      </div>
    </Dialog>
  );
}
