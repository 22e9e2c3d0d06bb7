import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { Dialog } from '#shared/admin/dialog.tsx';
import { DialogButton } from '#shared/admin/dialog-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/revoke-dialog', {
  title: params('Revoke {name}?'),
  detail: params(
    'The program with the key …{ending} loses access within seconds. This cannot be undone: the program would need a new key.',
  ),
  cancel: 'Cancel',
  confirm: 'Revoke key',
});

interface RevokeDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
  onConfirm: () => void;
}

export function RevokeDialog({ apiKey: { name, ending }, onClose, onConfirm }: RevokeDialogProps) {
  const t = useStore(MESSAGES);
  return (
    <Dialog title={t.title({ name })} onClose={onClose}>
      <div className="grid gap-5 px-5 pb-5">
        <p className="text-small text-ink2">{t.detail({ ending })}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <DialogButton variant="secondary" onClick={onClose}>
            {t.cancel}
          </DialogButton>
          <DialogButton variant="destructive" onClick={onConfirm}>
            {t.confirm}
          </DialogButton>
        </div>
      </div>
    </Dialog>
  );
}
