import { rotate } from './rotation.js';
import { serve } from './work.js';

serve(rotate);
