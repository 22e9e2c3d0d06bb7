import { Button, type ButtonProps } from '#shared/ui/button.tsx';

interface RowButtonProps extends Omit<ButtonProps, 'variant' | 'size' | 'isPending'> {
  /** Takes something away. */
  isDanger?: boolean;
}

/** An action that every row of a table has, so it has no edge. Its text aligns with what is above and below. */
export function RowButton({ isDanger, className = '-mx-3', ...button }: RowButtonProps) {
  return <Button variant={isDanger ? 'removal' : 'quiet'} size="small" className={className} {...button} />;
}
