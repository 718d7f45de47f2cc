// The model that answers, chosen from those that the server offers.
import { ChoiceMenu } from '../conversation/choice-menu.tsx';
import { t } from '../i18n/translate.ts';
import { modelName } from '../ui/model-names.ts';

export function ModelMenu({
  models,
  model = models[0],
  onChoose,
}: {
  models: readonly string[];
  model: string | undefined;
  onChoose: (model: string) => void;
}) {
  if (model === undefined) return null;
  return (
    <ChoiceMenu
      label={t('Model')}
      shown={modelName(model)}
      choices={models.map((value) => ({ value, name: modelName(value) }))}
      chosen={model}
      onChoose={onChoose}
    />
  );
}
