import type { ComponentProps } from 'react';
import { Button } from '#shared/ui/button.tsx';

/** A button at the foot of a dialog. On a phone the buttons share the width of the dialog. */
export function DialogButton(props: Omit<ComponentProps<typeof Button>, 'className'>) {
  return <Button className="flex-auto md:flex-none" {...props} />;
}
