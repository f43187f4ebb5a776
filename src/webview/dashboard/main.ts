/** Entry of the dashboard's webview. */
import '../kit/screen-texts';
import type { ToExtension, ToWebview } from '../../protocol';
import { Dashboard } from './dashboard';
import { joinPage } from '../kit/page-host';
import { readToWebview } from '../../received';

joinPage<ToWebview, ToExtension>(readToWebview, (root, host) => new Dashboard(root, window, host));
