//! The elements of HTML that matter to the lines of a text.

const HEADINGS: &str = "h1 h2 h3 h4 h5 h6";

/// Blocks that also end a paragraph.
const FLOW_BLOCKS: &str = "address article aside blockquote center dd div dl dt fieldset figure footer form header hr li main \
                           nav ol p pre section table ul";

/// Whether a new line begins before and after this element.
pub(super) fn is_block(name: &str) -> bool {
    is_flow_block(name) || has("body caption html tbody tfoot thead tr", name)
}

/// Whether an empty line separates this block from others.
pub(super) fn is_spaced_block(name: &str) -> bool {
    has(HEADINGS, name) || has("p table ul ol pre blockquote", name)
}

/// Whether the start tag of this element ends an open paragraph.
pub(super) fn ends_paragraph(name: &str) -> bool {
    is_flow_block(name) || name == "details"
}

/// Whether this element has no end tag.
pub(super) fn is_void(name: &str) -> bool {
    let void = "area base br col embed hr img input link meta param source track wbr";
    has(void, name)
}

/// Whether the text of this element is never displayed.
pub(super) fn is_never_displayed(name: &str) -> bool {
    let hidden = "script style title template textarea iframe noembed noframes select datalist";
    has(hidden, name)
}

fn is_flow_block(name: &str) -> bool {
    has(HEADINGS, name) || has(FLOW_BLOCKS, name)
}

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|one| one == name)
}
