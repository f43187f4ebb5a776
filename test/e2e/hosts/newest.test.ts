import { installNewestVsCode } from '../../../tools/vscode/server';
import { describeStory } from '../story';
import { own } from '../ways/own';

describeStory({
  ...own,
  name: 'in the newest VS Code',
  short: 'newest',
  host: async () => ({ editor: await installNewestVsCode() }),
});
