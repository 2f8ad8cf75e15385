// RUN: jit-translate --emit=svg %s | FileCheck %s

// Text of the program is text, whatever it holds.
//     CHECK: >&lt;script&gt; &amp; &quot;quotes&quot;</text>
// CHECK-NOT: <script>
func.func @forward(%x: !jit.tensor {jit.name = "<script> & \22quotes\22"}) -> !jit.tensor {
  return %x : !jit.tensor
}
