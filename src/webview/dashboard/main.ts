/** Entry of the dashboard's webview. */
import '../kit/screen-texts';
import type { ToExtension, ToWebview } from '../../protocol';
import { Dashboard } from './dashboard';
import { joinPage } from '../kit/page-host';

joinPage<ToWebview, ToExtension>((root, host) => new Dashboard(root, window, host));
