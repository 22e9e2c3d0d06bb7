import { useNavigationType } from 'react-router-dom';

/**
 * The classes by which rows outside of the window are laid out at an estimated height, which saves time. None after Back,
 * Forward or a page load: the browser then restores the position that the user left, in the list as it is laid out at that
 * moment, and some rows are higher than estimated.
 */
export function useRowEstimates(classes: string): string {
  return useNavigationType() === 'POP' ? '' : classes;
}
