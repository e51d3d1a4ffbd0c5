import './a.css';
console.log(import.meta.env.STYLES);
