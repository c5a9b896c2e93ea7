package bench
import ("testing";"context";"fmt";"os";"strconv";"time";"slices";"math/rand/v2")
func TestMain3(t *testing.T){
 ctx:=context.Background()
 rounds,_:=strconv.Atoi(os.Getenv("ROUNDS")); if rounds==0 {rounds=15}
 workers,_:=strconv.Atoi(os.Getenv("WORKERS")); if workers==0 {workers=8}
 o:=(&Options{Database:"bench", Slice:50*time.Millisecond, Workers:workers}).withDefaults()
 d,err:=open(ctx,o); if err!=nil {t.Fatal(err)}
 b,err:=newBench(ctx,d,o); if err!=nil {t.Fatal(err)}
 ways,done,err:=b.ways(ctx); if err!=nil {t.Fatal(err)}
 defer done()
 ways=ways[:3]
 s,err:=b.meter.rounds(ctx,rounds,ways); if err!=nil {t.Fatal(err)}
 for _,w:=range ways { x:=each(s[w.name],serverCPU); y:=each(s[w.name],appCPU); z:=each(s[w.name],cpu); slices.Sort(x);slices.Sort(y);slices.Sort(z); p:=len(x)/10
  fmt.Printf("%-8s cpu %.3f thr %.3f server p10 %.1f med %.1f app p10 %.1f med %.1f total p10 %.1f\n",w.name,ratio(s[w.name],s["raw"],cpu),ratio(s[w.name],s["raw"],throughput),x[p],median(x),y[p],median(y),z[p]/1000) }
}
func BenchmarkX(bb *testing.B){
 ctx:=context.Background()
 o:=(&Options{Database:"bench", Workers:8}).withDefaults()
 d,err:=open(ctx,o); if err!=nil {bb.Fatal(err)}
 b,err:=newBench(ctx,d,o); if err!=nil {bb.Fatal(err)}
 ways,done,err:=b.ways(ctx); if err!=nil {bb.Fatal(err)}
 defer done()
 for _,w:=range ways[:3] { bb.Run(w.name,func(bb *testing.B){ bb.ReportAllocs()
  bb.SetParallelism(4)
  bb.RunParallel(func(pb *testing.PB){ ctx,c:=context.WithCancel(ctx); defer c(); r:=rand.New(rand.NewPCG(1,2)); for pb.Next() { if err:=w.call(ctx,r); err!=nil {panic(err)} } }) }) }
}
