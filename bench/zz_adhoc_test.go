package bench
import ("testing";"context"; "bytes"
"github.com/tenantry/tenantry/executors")
type canned struct { executors.DB; rows [][][]byte; on bool }
func (c *canned) Run(ctx context.Context, call *executors.Call) error {
 if !c.on { s:=call.Statements[0]; row:=s.Row; s.Row=func(v [][]byte) error { var cp [][]byte; for _,x:=range v {cp=append(cp,bytes.Clone(x))}; c.rows=append(c.rows,cp); return row(v) }; c.rows=nil; return c.DB.Run(ctx,call) }
 for _,v:=range c.rows { if err:=call.Statements[0].Row(v); err!=nil { if err==executors.ErrStop {return nil}; return err } }
 return nil
}
func BenchmarkExecOnly(bb *testing.B){
 ctx:=context.Background()
 o:=(&Options{Database:"bench", Workers:2}).withDefaults()
 d,err:=open(ctx,o); if err!=nil {bb.Fatal(err)}
 b,err:=newBench(ctx,d,o); if err!=nil {bb.Fatal(err)}
 c:=&canned{DB:b.db}
 x,err:=b.executor(ctx,c); if err!=nil {bb.Fatal(err)}
 if err:=list(ctx,x,b.small[5],page(25)); err!=nil {bb.Fatal(err)}
 c.on=true
 bb.Run("list",func(bb *testing.B){ bb.ReportAllocs(); for bb.Loop() { if err:=list(ctx,x,b.small[5],page(25)); err!=nil {bb.Fatal(err)} } })
}
