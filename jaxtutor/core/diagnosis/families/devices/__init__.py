"""Causes in devices, debugging and callbacks."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.devices import (
    callback_texts,
    callbacks,
    fix,
    kept_names,
    match,
    platforms,
)
from jaxtutor.core.diagnosis.rules import FindingFix, message_rule, rule

RULES = (
    message_rule("mesh-axis-type-mismatch", fix.automatic_axes),
    rule("unbound-axis-name", match.unbound_axis, fix.name_axis),
    rule("checkify-not-functionalized", match.not_functionalized, fix.throw_error),
    rule("debug-print-format", match.print_format, fix.fit_format),
    rule("callback-result-mismatch", match.callback_result, fix.declared_result),
    rule("callback-result-not-described", callbacks.undescribed_result, callbacks.describe_result),
    rule("callback-given-text", callback_texts.text_passed, callback_texts.bind_texts),
    rule("platform-not-present", platforms.not_present, platforms.default_devices),
    rule("callback-without-vmap-method", callbacks.unmapped_callback, callbacks.call_for_each),
    rule("incompatible-devices", match.incompatible_devices, fix.move_to_devices),
    rule("use-after-donation", kept_names.after_donation, kept_names.keep_arrays),
)
FINDING_FIXES = (FindingFix("debug-print-format", fix.fit_format),)
