import { Link } from 'react-router';
import './brand.css';

export const PLATFORM_NAME = 'Cloud Platform';

export function Brand() {
  return (
    <Link to="/" className="brand">
      <BrandName />
    </Link>
  );
}

/** The logo and the name of the platform, without the link to the start page. */
export function BrandName() {
  return (
    <>
      <svg className="brand__mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect className="brand__ground" width="32" height="32" rx="8" />
        <path className="brand__solid" d="M16 7 24.5 11.75 16 16.5 7.5 11.75Z" />
        <path className="brand__line" d="M7.5 16.25 16 21l8.5-4.75M7.5 20.5 16 25.25l8.5-4.75" />
      </svg>
      <span>{PLATFORM_NAME}</span>
    </>
  );
}
