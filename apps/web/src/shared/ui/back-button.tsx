import { ArrowLeft } from 'lucide-react';

interface BackButtonProps {
  label: string;
  isDisabled: boolean;
  onBack: () => void;
}

/** An arrow beside the heading of a step, which leads to the step before. */
export function BackButton({ label, isDisabled, onBack }: BackButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      className="-ml-3 grid size-12 shrink-0 place-items-center rounded-control text-ink2 hover:bg-sunken hover:text-ink disabled:opacity-50"
      onClick={onBack}
    >
      <ArrowLeft aria-hidden className="size-6" />
    </button>
  );
}
