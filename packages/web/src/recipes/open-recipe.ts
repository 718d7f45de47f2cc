// Which recipe is open next to the conversation.
import { useCallback } from 'react';
import { usePanelAddress } from '../ui/side-panel.tsx';

export function useOpenRecipe(): [string | undefined, (id: string | undefined) => void] {
  const [shown, show] = usePanelAddress('recipe');
  const open = useCallback((id: string | undefined) => show(id === undefined ? id : { recipe: id }), [show]);
  return [shown?.recipe, open];
}
