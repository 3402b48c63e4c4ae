import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import { readPayment } from '../lib/payment-handover.js';
import '../styles/theme.css';
import '../styles/base.css';
import { PayPage } from './pay-page.js';
import { takeReturn } from './test-payment.js';

const root = document.getElementById('root');
if (!root) throw new Error('pay.html has no #root');

const testPayments = document.querySelector<HTMLMetaElement>('meta[name="test-payments"]')?.content ?? '';

createRoot(root).render(<PayPage payment={readPayment()} returned={takeReturn()} testPayments={testPayments} />);
