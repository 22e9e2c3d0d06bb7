import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { downloadCsv } from './csv.ts';
import { showFailure } from './failure-text.ts';

const MESSAGES = i18n('admin/export-button', { export: 'Export' });

interface ExportButtonProps {
  file: string;
  /** The title of the toast if the export fails. */
  failed: string;
  isEmpty: boolean;
  makeCsv: () => Promise<string>;
}

/** Exports everything that matches a list's filters, not only the rows that have loaded. */
export function ExportButton({ file, failed, isEmpty, makeCsv }: ExportButtonProps) {
  const t = useStore(MESSAGES);
  const download = useMutation({
    mutationFn: makeCsv,
    meta: { silent: true },
    onSuccess: (csv) => downloadCsv(file, csv),
    onError: (error) => showFailure(failed, error, failed),
  });
  return (
    <Button
      variant="quiet"
      size="small"
      isPending={download.isPending}
      disabled={download.isPending || isEmpty}
      onClick={() => download.mutate()}
    >
      {download.isPending ? null : <Download aria-hidden className="size-4" />}
      {t.export}
    </Button>
  );
}
